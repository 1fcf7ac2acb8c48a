/** One file with the tables, the pictures and the paragraph of a run. It needs no server and no script. */
import { INK, LINE, QUIET } from "../colour";
import { escaped } from "../share/html";
import { number } from "./wording";

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

/** What of the page goes into every report: its pictures, its address, and today. */
export interface Taken {
  pictures: readonly string[];
  link: string;
  date: Date;
}

export interface Report {
  title: string;
  /** Of what, under the title. */
  lead: string;
  warnings: readonly string[];
  tables: readonly Table[];
  paragraph: string;
}

export interface Table {
  title: string;
  head: readonly string[];
  rows: readonly Row[];
  note: string;
}

interface Row {
  name: string;
  cells: readonly (string | Interval)[];
  /** Stands beside the others to compare them with. */
  quiet?: boolean;
}

interface Interval {
  value: number | null;
  low: number | null;
  high: number | null;
  best?: boolean;
  digits?: number;
}

export function report(said: Report, { pictures, link, date }: Taken): string {
  const title = escaped(said.title);
  const drawn = pictures.map((picture) => `<figure>${picture}</figure>`).join("\n");
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>Espalier · ${title}</title><style>${STYLE}</style></head><body>
<h1>${title}</h1>
<p class="quiet">${escaped(said.lead)}</p>
${said.warnings.map((warning) => `<p class="quiet">${escaped(warning)}</p>`).join("\n")}
${said.tables.map(section).join("\n")}
${drawn && `<section><h2>Pictures</h2>${drawn}</section>`}
<section><h2>For a paper</h2><p>${escaped(said.paragraph)}</p></section>
<footer class="quiet">Made with Espalier, ${date.toISOString().slice(0, 10)}. <a href="${escaped(link)}">Open it on the server</a></footer>
</body></html>
`;
}

function section({ title, head, rows, note }: Table): string {
  const names = head.map((name) => `<th>${escaped(name)}</th>`).join("");
  const body = rows.map(({ name, cells, quiet }) => {
    const look = quiet ? ' class="baseline"' : "";
    return `<tr${look}><th>${escaped(name)}</th>${cells.map(cell).join("")}</tr>`;
  });
  return `<section><h2>${escaped(title)}</h2><table><thead><tr>${names}</tr></thead><tbody>${body.join("")}</tbody></table>
<p class="quiet">${escaped(note)}</p></section>`;
}

function cell(shown: string | Interval): string {
  if (typeof shown === "string") return `<td>${escaped(shown)}</td>`;
  const { value, low, high, best = false, digits = 3 } = shown;
  const mean = best ? `<b>${number(value, digits)}</b>` : number(value, digits);
  const span = low === null ? "" : `<br><small>${number(low, digits)} to ${number(high, digits)}</small>`;
  return `<td>${mean}${span}</td>`;
}
