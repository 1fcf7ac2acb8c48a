import type { Explanation } from "../explanation";

/** The line under every picture: how sure, what it cost, and what to repeat it with. */
export function Provenance({ explanation, partial }: { explanation: Explanation; partial: boolean }) {
  return (
    <p className="provenance">
      {partial ? "Not final yet: the numbers still settle." : explanation.provenance}
    </p>
  );
}
