import { memo } from "react";
import { Button } from "../../controls/Button";
import type { TreeLayout } from "./layout";

/** Heights above the words; pressing one folds everything up to there. */
export const Ruler = memo(function Ruler({
  layout,
  zoom,
  onFold,
}: {
  layout: TreeLayout;
  zoom: number;
  onFold(height: number): void;
}) {
  return (
    <div className="tree-ruler">
      {layout.rows.map(({ height, y }) => (
        <Button
          kind="quiet"
          key={`${height} ${y}`}
          style={{ insetBlockStart: y * zoom }}
          aria-label={height === 1 ? `${height}: open all phrases` : `Fold phrases up to height ${height}`}
          title={height === 1 ? "Open all phrases" : `Fold phrases up to height ${height}`}
          onClick={() => onFold(height)}
        >
          {height}
        </Button>
      ))}
    </div>
  );
});
