import { memo, useEffect, useRef } from "react";
import type { Explanation } from "../explanation";
import type { MethodEntry } from "../service/catalog";
import { standaloneSvg } from "../share/svg";
import { useSelection, useSelectionStore } from "../state/selection";
import { drawnBy } from "../views/registry";
import type { View } from "../views/view";
import { useExhibits } from "./exhibits";
import { plainText } from "./plainText";
import { useWidth } from "./useWidth";

interface Props {
  view: View;
  explanation: Explanation;
  method: MethodEntry | undefined;
  domain: number;
  /** Which side of a comparison this is; 0 where there is none. */
  place: number;
  /** Drawn paler: it is of the question before, or not final. */
  stale: boolean;
  onParameters(parameters: Record<string, unknown>): void;
}

/** A picture with its headline. It offers itself for export for as long as it is shown. */
export const Pane = memo(function Pane({
  view,
  explanation,
  method,
  domain,
  place,
  stale,
  onParameters,
}: Props) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const exhibits = useExhibits();
  const latest = useRef(explanation);
  latest.current = explanation;
  const methodTitle = method?.title ?? explanation.method;
  const drawing = drawnBy(view, explanation);

  useEffect(
    () =>
      exhibits.offer(`${view.name}-${place}`, () => {
        const picture = frame.current && pictureIn(frame.current);
        if (!picture) return null;
        const figure = { explanation: latest.current, viewTitle: view.title, methodTitle };
        return {
          ...figure,
          draw: (framing) => standaloneSvg(picture, { title: `${view.title} · ${methodTitle}`, ...framing }),
          table: drawing.table(latest.current),
          howToRead: plainText(drawing.HowToRead),
        };
      }),
    [exhibits, view, drawing, place, methodTitle, frame],
  );

  return (
    <>
      <p className="finding" data-view={view.name}>
        <bdi>{explanation.finding ?? " "}</bdi>
      </p>
      <div className="frame" ref={frame} data-stale={stale}>
        {width > 0 && <LivePicture view={drawing} {...{ explanation, domain, width, onParameters }} />}
      </div>
      <div className="legend">
        <drawing.Legend explanation={explanation} domain={domain} />
      </div>
    </>
  );
});

type LiveProps = Pick<Props, "view" | "explanation" | "domain" | "onParameters"> & { width: number };

/** The one part that is drawn again when something is pointed at. */
function LivePicture({ view, explanation, domain, width, onParameters }: LiveProps) {
  const selection = useSelection();
  const { hover, select } = useSelectionStore();
  return (
    <view.Picture
      explanation={explanation}
      selection={selection}
      onHover={hover}
      onSelect={select}
      onParameters={onParameters}
      domain={domain}
      width={width}
    />
  );
}

/** Controls may have small drawings of their own, and lights lie on sheets over it; the picture is the largest. */
function pictureIn(frame: HTMLElement): SVGSVGElement | null {
  const area = (drawing: SVGSVGElement) => {
    const { width, height } = drawing.getBoundingClientRect();
    return width * height;
  };
  return (
    [...frame.querySelectorAll<SVGSVGElement>("svg:not([aria-hidden=true])")].sort(
      (a, b) => area(b) - area(a),
    )[0] ?? null
  );
}
