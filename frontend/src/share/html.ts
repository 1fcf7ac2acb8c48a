/** One file with everything that is shown: pictures, findings, tables and data. It needs no server and no script. */
import { INK, LINE, QUIET } from "../colour";
import type { Explanation } from "../explanation";
import { percent } from "../marks";
import type { Table } from "../views/view";
import { caption, type Figure } from "./caption";

export interface Exhibit extends Figure {
  explanation: Explanation;
  /** The picture as SVG. */
  svg: string;
  table: Table;
  /** What to read from such a picture, as plain text. */
  howToRead: string;
}

const STYLE = `
:root{color-scheme:light;--quiet:${QUIET};--line:${LINE}}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:#faf9f6;color:${INK};font:16px/1.55 system-ui,sans-serif}
h1{font:600 1.7rem/1.35 Palatino,Georgia,serif;overflow-wrap:anywhere}
h2{font:600 .85rem/1.4 system-ui,sans-serif;color:var(--quiet);margin:0}
section{background:#fff;border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.3rem;margin:1.2rem 0}
.finding{font:1.2rem/1.45 Palatino,Georgia,serif;margin:.3rem 0 1rem}
.picture{overflow-x:auto}.quiet,figcaption,footer{color:var(--quiet);font-size:.85rem}
details{margin-top:.8rem}summary{cursor:pointer}
table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .7rem;border-bottom:1px solid var(--line);text-align:left}
`;

export function htmlPage(exhibits: readonly Exhibit[], link: string, date: Date): string {
  const first = exhibits[0]?.explanation;
  const text = first?.text.trim() ?? "";
  const said = first?.classes.map((name, index) => `${name} ${percent(first.probabilities[index] ?? 0)}`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Espalier · ${escaped(text.slice(0, 80))}</title><style>${STYLE}</style></head><body>
<h1><bdi>${escaped(text)}</bdi></h1>
<p class="quiet">${escaped(first?.model ?? "")} says ${escaped(said?.join(", ") ?? "")}</p>
<p class="quiet">Purple speaks for the explained class, orange against it; the paler, the less.</p>
${exhibits.map((exhibit) => section(exhibit, date)).join("\n")}
<footer><p>Made with Espalier, ${date.toISOString().slice(0, 10)}. <a href="${escaped(link)}">Open it on the server</a></p></footer>
<script type="application/json" id="explanations">${embedded(exhibits.map(({ explanation }) => explanation))}</script>
</body></html>
`;
}

function section(exhibit: Exhibit, date: Date): string {
  const { explanation, viewTitle, methodTitle, svg, table, howToRead } = exhibit;
  return `<section aria-label="${escaped(viewTitle)}"><h2>${escaped(viewTitle)} · ${escaped(methodTitle)}</h2>
<p class="finding">${escaped(explanation.finding ?? "")}</p>
<figure style="margin:0"><div class="picture">${svg}</div>
<figcaption>${escaped(explanation.provenance)}</figcaption></figure>
<details><summary>How to read this</summary><p>${escaped(howToRead)}</p></details>
<details><summary>Numbers</summary>${htmlTable(table)}</details>
<details><summary>Caption</summary><p>${escaped(caption(exhibit, date))}</p></details></section>`;
}

function htmlTable({ columns, rows }: Table): string {
  const head = columns.map((name) => `<th scope="col">${escaped(name)}</th>`).join("");
  const body = rows.map(
    (row) => `<tr>${row.map((cell) => `<td>${escaped(String(cell ?? ""))}</td>`).join("")}</tr>`,
  );
  return `<div class="picture"><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** JSON that no text within can end early. */
function embedded(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}
