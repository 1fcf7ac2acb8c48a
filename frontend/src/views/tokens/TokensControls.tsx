import { memo } from "react";
import type { Order } from "./rows";

type Props = {
  order: Order;
  onOrder(order: Order): void;
  /** Whether the smallest have rows of their own; null where there are few enough. */
  open: boolean | null;
  onOpen(open: boolean): void;
  count: number;
};

export const TokensControls = memo(function TokensControls({ order, onOrder, open, onOpen, count }: Props) {
  return (
    <div className="view-controls">
      <button type="button" aria-pressed={order === "size"} onClick={() => onOrder("size")}>
        By size
      </button>
      <button type="button" aria-pressed={order === "reading"} onClick={() => onOrder("reading")}>
        In reading order
      </button>
      <span className="grow" />
      {open !== null && (
        <button type="button" aria-pressed={open} onClick={() => onOpen(!open)}>
          All {count}
        </button>
      )}
    </div>
  );
});
