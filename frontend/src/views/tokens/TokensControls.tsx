import { memo } from "react";
import { Button } from "../../controls/Button";
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
      <Button aria-pressed={order === "size"} onClick={() => onOrder("size")}>
        By size
      </Button>
      <Button aria-pressed={order === "reading"} onClick={() => onOrder("reading")}>
        In reading order
      </Button>
      <span className="grow" />
      {open !== null && (
        <Button aria-pressed={open} onClick={() => onOpen(!open)}>
          All {count}
        </Button>
      )}
    </div>
  );
});
