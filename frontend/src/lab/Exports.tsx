import { Button } from "../controls/Button";
import { save } from "../share/save";
import { standaloneSvg } from "../share/svg";
import type { EvaluationDocument, EvaluationResults } from "./documents";
import { Files } from "./Files";
import { report } from "./report";
import { titleOf } from "./wording";

/** Everything to take along. */
export function Exports({ run, results }: { run: EvaluationDocument; results: EvaluationResults }) {
  const page = () => {
    const pictures = [...document.querySelectorAll<SVGSVGElement>(".curve-figure svg, svg.dots")].map((svg) =>
      standaloneSvg(svg, { title: svg.getAttribute("aria-label") ?? "" }),
    );
    save(
      `${titleOf(run)}.html`,
      report(run, results, pictures, window.location.href, new Date()),
      "text/html",
    );
  };
  return (
    <section className="card" aria-labelledby="export">
      <h2 id="export">Take home</h2>
      <div className="actions exports">
        <Files of={`/v1/evaluations/${run.id}`} />
        <Button onClick={page}>Report, HTML</Button>
      </div>
    </section>
  );
}
