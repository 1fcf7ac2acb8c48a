import type { ComponentProps } from "react";

export interface Look {
  /**
   * What it is for: the one thing to do, one of several, something on the side, a word in a sentence; bare where it is
   * itself what is shown, as a word of a text or a bar, and looks like that.
   */
  kind?: "strong" | "plain" | "quiet" | "link" | "bare";
  /** Small among pictures, medium in forms, large for a thumb. */
  size?: "small" | "medium" | "large";
  /** Whether it shows a sign only: its name is then read by those who do not see it. */
  icon?: boolean;
}

/** For what is a link or a part of a menu, and looks like a button. */
export function buttonLook({ kind = "plain", size = "small", icon = false }: Look = {}): string {
  return kind === "bare" ? "" : `button ${kind} ${size}${icon ? " icon-button" : ""}`;
}

type Props = ComponentProps<"button"> & Look;

/** The one button of all pages. */
export function Button({ kind, size, icon, type = "button", className, ...rest }: Props) {
  const look = buttonLook({ ...(kind && { kind }), ...(size && { size }), ...(icon && { icon }) });
  return (
    <button type={type} className={[look, className].filter(Boolean).join(" ") || undefined} {...rest} />
  );
}
