/**
 * How wide a text will be, without asking the page: a canvas of our own measures it, so that layouts are known before
 * anything is drawn and nothing has to be laid out twice. Where there is no canvas, as in tests, the widths of a wide
 * face are assumed: boxes must be wide enough.
 */

export const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
export const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif';

export type Face = { readonly size: number; readonly weight?: number; readonly family?: string };

const known = new Map<string, number>();
const MOST_KNOWN = 20_000;

let surface: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, { size, weight = 400, family = SANS }: Face): number {
  const key = `${weight} ${size} ${family} ${text}`;
  let width = known.get(key);
  if (width === undefined) {
    width = measured(text, `${weight} ${size}px ${family}`) ?? assumed(text, size);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, width);
  }
  return width;
}

function measured(text: string, font: string): number | null {
  if (surface === undefined) surface = canvas();
  if (surface === null) return null;
  if (surface.font !== font) surface.font = font;
  return surface.measureText(text).width;
}

function canvas(): CanvasRenderingContext2D | null {
  if (typeof document === "undefined") return null;
  const context = document.createElement("canvas").getContext?.("2d") ?? null;
  return typeof context?.measureText === "function" ? context : null;
}

function assumed(text: string, size: number): number {
  let ems = 0;
  for (const character of text) ems += emsOf(character);
  return Math.round(ems * size * 100) / 100;
}

function emsOf(character: string): number {
  if ("iIjltfr.,:;'|!()[]-‘’ ".includes(character)) return 0.37;
  if ("mwMW—…%".includes(character)) return 0.95;
  if (/\p{Mark}|\p{Cf}/u.test(character)) return 0;
  if (
    /\p{Extended_Pictographic}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(
      character,
    )
  )
    return 1.1;
  return /\p{Lu}/u.test(character) ? 0.74 : 0.63;
}

/** As much of the text as fits, with dots for the rest; never less than one character. */
export function fitted(text: string, room: number, face: Face): string {
  if (textWidth(text, face) <= room) return text;
  const characters = Array.from(text);
  let [low, high] = [1, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(`${characters.slice(0, middle).join("")}…`, face) <= room) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("").trimEnd()}…`;
}
