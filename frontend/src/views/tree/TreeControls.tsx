import { memo } from "react";
import { Button } from "../../controls/Button";
import { type Folded, NOTHING_FOLDED } from "./fold";
import { LARGEST, SMALLEST } from "./useZoom";

type Props = {
  quiet: Folded;
  folded: Folded;
  onFold(folded: Folded): void;
  zoom: number;
  onZoom(zoom: number): void;
  /** The zoom at which the whole tree is in sight. */
  fit: number;
  outlined: boolean;
  onOutline(outlined: boolean): void;
};

/** Folding and zooming. What would change nothing is not offered. */
export const TreeControls = memo(function TreeControls(props: Props) {
  const { quiet, folded, onFold, zoom, onZoom, fit, outlined, onOutline } = props;
  const wide = fit < 1 || zoom !== 1;
  return (
    <div className="view-controls">
      {quiet.size > 0 && (
        <Button
          aria-pressed={folded === quiet}
          onClick={() => onFold(folded === quiet ? NOTHING_FOLDED : quiet)}
        >
          Fold quiet
        </Button>
      )}
      {folded.size > 0 && folded !== quiet && (
        <Button onClick={() => onFold(NOTHING_FOLDED)}>Open all</Button>
      )}
      <Button aria-pressed={outlined} onClick={() => onOutline(!outlined)}>
        Outline
      </Button>
      <span className="grow" />
      {wide && (
        <span className="tree-zooms">
          <Button aria-label="Smaller" disabled={zoom <= SMALLEST} onClick={() => onZoom(zoom / 1.25)}>
            −
          </Button>
          <span className="tree-zoom">{Math.round(zoom * 100)} %</span>
          <Button aria-label="Larger" disabled={zoom >= LARGEST} onClick={() => onZoom(zoom * 1.25)}>
            +
          </Button>
          <Button aria-pressed={zoom === fit} onClick={() => onZoom(zoom === fit ? 1 : fit)}>
            Fit
          </Button>
        </span>
      )}
    </div>
  );
});
