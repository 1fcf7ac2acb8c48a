import type { CSSProperties } from "react";
import { tint } from "../../colour";

/** Paper and ink of a piece of text in the colour of its value, for both themes (see levels.css). */
export function shaded(value: number | null | undefined, domain: number): CSSProperties {
  if (value == null) return {};
  const [light, dark] = [tint(value, domain, "light"), tint(value, domain, "dark")];
  return {
    "--light": light.fill,
    "--light-ink": light.ink,
    "--dark": dark.fill,
    "--dark-ink": dark.ink,
  } as CSSProperties;
}
