import { useState } from "react";
import { Button } from "./Button";

/** Puts a text into the clipboard, and says so for a moment. */
export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Select it and copy by hand");
    }
    setTimeout(() => setSaid(null), 2000);
  };
  return (
    <Button onClick={copy} aria-live="polite">
      {said ?? label}
    </Button>
  );
}
