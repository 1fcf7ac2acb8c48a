import { useEffect } from "react";

/** Long enough to tell tabs and the entries of a browser's history apart. */
const LONGEST = 60;

/** What the browser's tab, its history and its bookmarks call this page: what it is about first, then the product. */
export function useTitle(about: string | undefined, product: "Espalier" | null = "Espalier"): void {
  useEffect(() => {
    document.title = titleOf(about, product);
  }, [about, product]);
}

export function titleOf(about: string | undefined, product: string | null): string {
  const words = (about ?? "").trim().replace(/\s+/g, " ");
  const characters = Array.from(words);
  const short =
    characters.length > LONGEST
      ? `${characters
          .slice(0, LONGEST - 1)
          .join("")
          .trimEnd()}…`
      : words;
  return [short, product].filter(Boolean).join(" · ");
}
