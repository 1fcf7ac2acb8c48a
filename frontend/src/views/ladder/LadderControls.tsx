import { memo } from "react";
import { Button } from "../../controls/Button";
import { Slider } from "../../controls/inputs";

type Props = {
  level: number | null;
  last: number;
  playing: boolean;
  onPlay(): void;
  onScrub(level: number | null): void;
  /** Whether every level is written out although strips would do; null where there is no choice. */
  writeAll: boolean | null;
  onWriteAll(writeAll: boolean): void;
};

export const LadderControls = memo(function LadderControls(props: Props) {
  const { level, last, playing, onPlay, onScrub, writeAll, onWriteAll } = props;
  return (
    <div className="view-controls">
      <Button aria-label={playing ? "Pause" : "Play"} onClick={onPlay}>
        <svg width="10" height="11" viewBox="0 0 10 11" aria-hidden="true">
          <title>{playing ? "Pause" : "Play"}</title>
          <path
            d={playing ? "M1 1v9M7 1v9" : "M1 0.5v10l8.5-5z"}
            fill={playing ? "none" : "currentColor"}
            stroke={playing ? "currentColor" : "none"}
            strokeWidth={2.4}
          />
        </svg>
      </Button>
      <Slider label="Level" least={0} most={last} value={level ?? last} onChange={onScrub} />
      <span className="ladder-level">
        {level === null ? `${last + 1} levels` : `level ${level} of ${last}`}
      </span>
      <span className="grow" />
      {writeAll !== null && (
        <Button aria-pressed={writeAll} onClick={() => onWriteAll(!writeAll)}>
          All as text
        </Button>
      )}
    </div>
  );
});
