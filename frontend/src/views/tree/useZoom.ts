import { useCallback, useEffect, useRef, useState } from "react";

export const [SMALLEST, LARGEST] = [0.25, 2.5];

/** Zoom of a picture in an area that scrolls: by control, by pinch, or by Ctrl and the wheel around the pointer. */
export function useZoom(width: number, room: number) {
  const scroll = useRef<HTMLDivElement>(null);
  const [zoom, set] = useState(1);
  /** A place that stays where it is on the screen: in the picture, and from the area's left edge. */
  const held = useRef<{ picture: number; screen: number } | null>(null);

  const setZoom = useCallback((next: number) => set(Math.max(SMALLEST, Math.min(LARGEST, next))), []);

  useEffect(() => {
    const area = scroll.current;
    if (area === null) return;
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      // Else the browser would zoom the whole page.
      event.preventDefault();
      const screen = event.clientX - area.getBoundingClientRect().left;
      set((now) => {
        held.current = { picture: (area.scrollLeft + screen) / now, screen };
        return Math.max(SMALLEST, Math.min(LARGEST, now * Math.exp(-event.deltaY / 300)));
      });
    };
    area.addEventListener("wheel", turn, { passive: false });
    return () => area.removeEventListener("wheel", turn);
  }, []);

  useEffect(() => {
    if (scroll.current !== null && held.current !== null)
      scroll.current.scrollLeft = held.current.picture * zoom - held.current.screen;
    held.current = null;
  }, [zoom]);

  // A picture that fits again after its text or its room changed needs no zoom.
  useEffect(() => {
    if (width <= room) set((now) => Math.max(1, now));
  }, [width, room]);

  return { scroll, zoom, setZoom };
}
