import { useEffect, useState } from "react";

/** The draft once its writer has paused: a price is not asked for at every key. */
export function useSettled<Draft>(draft: Draft): Draft {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const later = setTimeout(() => setSettled(draft), 400);
    return () => clearTimeout(later);
  }, [draft]);
  return settled;
}
