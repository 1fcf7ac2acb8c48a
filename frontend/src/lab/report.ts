/** One file with the table, the pictures and the paragraph. It needs no server and no script. */
import { INK, LINE, QUIET } from "../colour";
import { escaped } from "../share/html";
import type { EvaluationDocument, EvaluationResults } from "./documents";
import { large, lineName, number, sourceOf, titleOf } from "./wording";

const STYLE = `
:root{color-scheme:light}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:#faf9f6;color:${INK};font:16px/1.55 system-ui,sans-serif}
h1,h2{font-family:Palatino,Georgia,serif;line-height:1.3}
section{background:#fff;border:1px solid ${LINE};border-radius:12px;padding:1.1rem 1.3rem;margin:1.2rem 0;overflow-x:auto}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem;border-bottom:1px solid ${LINE};text-align:right;white-space:nowrap}
th:first-child{text-align:left}.quiet{color:${QUIET};font-size:.85rem}.baseline{color:${QUIET}}
figure{display:inline-block;margin:.4rem;max-width:100%}svg{max-width:100%;height:auto}
`;

export function report(
  run: EvaluationDocument,
  results: EvaluationResults,
  pictures: readonly string[],
  link: string,
  date: Date,
): string {
  const title = escaped(titleOf(run));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Espalier · ${title}</title><style>${STYLE}</style></head><body>
<h1>${title}</h1>
<p class="quiet">${large(results.texts)} texts (${escaped(sourceOf(run.design))}), seed ${results.seed}, ${large(results.draws)} bootstrap draws</p>
${results.warnings.map((warning) => `<p class="quiet">${escaped(warning)}</p>`).join("\n")}
${run.design.models.map((model) => table(model, run, results)).join("\n")}
<section><h2>Pictures</h2>${pictures.map((picture) => `<figure>${picture}</figure>`).join("\n")}</section>
<section><h2>For a paper</h2><p>${escaped(results.paragraph)}</p></section>
<footer class="quiet">Made with Espalier, ${date.toISOString().slice(0, 10)}. <a href="${escaped(link)}">Open it on the server</a></footer>
</body></html>
`;
}

function table(model: string, run: EvaluationDocument, results: EvaluationResults): string {
  const head = results.measures.map(
    ({ title, better }) => `<th>${escaped(title)} ${better === "higher" ? "↑" : "↓"}</th>`,
  );
  const body = results.lines
    .filter((line) => line.model === model)
    .map((line) => {
      const cells = line.cells.map(({ interval, best }) => {
        const mean = best ? `<b>${number(interval.mean)}</b>` : number(interval.mean);
        const span =
          interval.low === null
            ? ""
            : `<br><small>${number(interval.low)} to ${number(interval.high)}</small>`;
        return `<td>${mean}${span}</td>`;
      });
      const price = line.evaluations.mean === null ? "" : large(line.evaluations.mean);
      const look = line.baseline ? ' class="baseline"' : "";
      return `<tr${look}><th>${escaped(lineName(line, run.design))}</th>${cells.join("")}<td>${price}</td></tr>`;
    });
  return `<section><h2>${escaped(model)}</h2><table><thead><tr><th>Method</th>${head.join("")}<th>Evaluations</th></tr></thead><tbody>${body.join("")}</tbody></table>
<p class="quiet">Bold beats every other method in a paired sign-flip test after Holm’s correction.</p></section>`;
}
