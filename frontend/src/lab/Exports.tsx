import { Button, buttonLook } from "../controls/Button";
import { save } from "../share/save";
import { standaloneSvg } from "../share/svg";
import { fileAddress } from "./api";
import type { EvaluationDocument, EvaluationResults } from "./documents";
import { report } from "./report";
import { titleOf } from "./wording";

const FILES = [
  { file: "table.csv", label: "Table, CSV" },
  { file: "table.json", label: "Table, JSON" },
  { file: "rows.csv", label: "All rows, CSV" },
  { file: "rows.json", label: "All rows, JSON" },
];

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
        {FILES.map(({ file, label }) => (
          <a key={file} className={buttonLook()} href={fileAddress(run.id, file)} download>
            {label}
          </a>
        ))}
        <Button onClick={page}>Report, HTML</Button>
      </div>
    </section>
  );
}
