import appearance from "../appearance";
import type { Table } from "../views/view";

/** A table as RFC 4180 has it. A text that a spreadsheet would take for a formula is kept from becoming one. */
export function csv({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = appearance.formulas.some((beginning) => value.startsWith(beginning)) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
