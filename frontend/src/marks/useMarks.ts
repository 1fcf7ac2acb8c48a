import { type FocusEvent, type KeyboardEvent, type MouseEvent, type PointerEvent, useRef } from "react";

/** What a picture does with its marks. `M` is whatever it knows a mark by. */
export interface Handling<M> {
  /** The mark that this part of the drawing belongs to; none between marks. */
  at(part: Element): M | null;
  /** Pointed at, by a mouse or by the focus; null once nothing is. */
  point(mark: M | null, by: "pointer" | "focus"): void;
  /** Clicked, tapped, or Enter or Space pressed on it; `extend` with Shift. */
  choose(mark: M, extend: boolean, part: Element): void;
  /** Clicked beside all marks, or Escape pressed; left out where neither lets go of anything. */
  clear?(): void;
  /**
   * What another key does, or one that shall do something else here: the selector of the mark to go to, true where it
   * did something already, false where it means nothing.
   */
  key?(mark: M | null, event: KeyboardEvent): string | boolean;
  /** The focus has come to a mark, or to the picture as a whole. */
  enter?(mark: M | null): void;
  /** The focus has left the picture. */
  leave?(): void;
  /** A pressed pointer has come over a mark. */
  drag?(mark: M): void;
}

/**
 * Pointer, touch and keyboard on the marks of a picture or a text, the same in every view: pointing lights, a click or
 * Enter chooses, Escape or a click beside lets go. A finger cannot point without tapping, so it only chooses.
 *
 * `hands` go on the picture or on what is around it, `picture` on the drawing in which marks are looked for.
 */
export function useMarks<M, Drawing extends Element = SVGSVGElement>(handling: Handling<M>) {
  const picture = useRef<Drawing>(null);
  const { at, point, choose, clear, key, enter, leave, drag } = handling;
  const markAt = (event: { target: EventTarget }) => at(event.target as Element);
  const goTo = (selector: string) =>
    picture.current?.querySelector<SVGElement | HTMLElement>(selector)?.focus();
  const hands = {
    onPointerOver(event: PointerEvent) {
      const mark = markAt(event);
      if (event.pointerType !== "touch") point(mark, "pointer");
      if (mark !== null && event.buttons === 1) drag?.(mark);
    },
    onPointerLeave: () => point(null, "pointer"),
    onFocus(event: FocusEvent) {
      const mark = markAt(event);
      enter?.(mark);
      if (mark !== null) point(mark, "focus");
    },
    onBlur(event: FocusEvent) {
      point(null, "focus");
      if (!event.currentTarget.contains(event.relatedTarget)) leave?.();
    },
    onClick(event: MouseEvent) {
      const mark = markAt(event);
      if (mark === null) clear?.();
      else choose(mark, event.shiftKey, event.target as Element);
    },
    onKeyDown(event: KeyboardEvent) {
      const mark = markAt(event);
      const done = key?.(mark, event) ?? false;
      if (typeof done === "string") goTo(done);
      else if (!done) {
        const part = event.target as Element;
        if (event.key === "Escape" && clear) clear();
        // A mark that is a button makes a click of these keys by itself.
        else if (mark !== null && (event.key === "Enter" || event.key === " ") && !part.matches("button"))
          choose(mark, event.shiftKey, part);
        else return;
      }
      event.preventDefault();
    },
  };
  return { picture, hands, goTo };
}

/** What a part of a drawing says of itself in `data-…`, or of the mark it belongs to. */
export function dataAt(part: Element, name: string): string | null {
  return part.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
}
