import type { DOMAttributes, ReactNode } from "react";

type Props = DOMAttributes<HTMLDivElement> & {
  width: number;
  height: number;
  zoom?: number;
  /** What is drawn behind and before the picture, and changes with every movement of the pointer. */
  under?: ReactNode;
  over?: ReactNode;
  children: ReactNode;
};

/**
 * A picture between two sheets that carry its lights. The sheets are layers of their own, so that a pointer moving
 * over a picture of thousands of marks repaints a few rings and not the picture.
 */
export function Stage({ width, height, zoom = 1, under, over, children, ...events }: Props) {
  const size = { width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` };
  return (
    <div className="stage" style={{ inlineSize: size.width, blockSize: size.height }} {...events}>
      {under && (
        <svg className="sheet" aria-hidden="true" {...size}>
          {under}
        </svg>
      )}
      {children}
      {over && (
        <svg className="sheet" aria-hidden="true" {...size}>
          {over}
        </svg>
      )}
    </div>
  );
}
