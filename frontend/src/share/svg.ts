/**
 * A picture taken out of the page: an SVG that needs no style sheet, in the colours of light paper, which is where
 * figures go.
 */
import { INK, PAPER, QUIET } from "../colour";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 16;
const LINE = 17;

/** What a style sheet may have said about a mark. */
const PROPERTIES = [
  ...[
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-opacity",
    "stroke-dasharray",
    "stroke-linecap",
  ],
  ...["stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor"],
  ...["dominant-baseline", "letter-spacing", "visibility", "display", "font-variant-numeric", "paint-order"],
  ...["text-decoration-line"],
];

export interface Framing {
  title: string;
  /** Lines over the picture; the first one is the headline. */
  headline?: string;
  /** What stands under it. */
  caption?: string;
}

/** The picture as a document of its own. */
export function standaloneSvg(picture: SVGSVGElement, framing: Framing): string {
  const { width, height } = sizeOf(picture);
  const inner = inlined(picture);
  inner.setAttribute("width", String(width));
  inner.setAttribute("height", String(height));
  const across = Math.floor((width - 2) / 6.4);
  const above = framing.headline ? wrapped(framing.headline, Math.floor(width / 7.6)) : [];
  const below = framing.caption ? wrapped(framing.caption, across) : [];
  const top = above.length > 0 ? above.length * 22 + 12 : 0;
  const bottom = below.length > 0 ? below.length * LINE + 14 : 0;
  const whole = document.createElementNS(SVG, "svg");
  const size = [width + 2 * MARGIN, height + top + bottom + 2 * MARGIN].map(Math.ceil);
  whole.setAttribute("xmlns", SVG);
  whole.setAttribute("width", String(size[0]));
  whole.setAttribute("height", String(size[1]));
  whole.setAttribute("viewBox", `0 0 ${size.join(" ")}`);
  const title = document.createElementNS(SVG, "title");
  title.textContent = visible(framing.title);
  const paper = document.createElementNS(SVG, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", PAPER);
  whole.append(title, paper);
  above.forEach((line, index) => {
    whole.append(text(line, MARGIN, MARGIN + 16 + index * 22, "18px Palatino, Georgia, serif", INK));
  });
  inner.setAttribute("x", String(MARGIN));
  inner.setAttribute("y", String(MARGIN + top));
  whole.append(inner);
  below.forEach((line, index) => {
    const y = MARGIN + top + height + 24 + index * LINE;
    whole.append(text(line, MARGIN, y, "12px system-ui, sans-serif", QUIET));
  });
  return new XMLSerializer().serializeToString(whole);
}

/** The same as pixels, twice as fine as the page. */
export async function png(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    // Browsers refuse canvases beyond some size: a very long picture is drawn coarser instead.
    const fine = Math.min(2, 16_000 / Math.max(image.naturalWidth, image.naturalHeight));
    canvas.width = Math.round(image.naturalWidth * fine);
    canvas.height = Math.round(image.naturalHeight * fine);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser draws no pictures");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))),
        "image/png",
      );
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** A copy whose every mark carries the style it has on light paper. */
function inlined(picture: SVGSVGElement): SVGSVGElement {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const stage = document.createElement("div");
  stage.style.cssText = "position:absolute;left:-99999px;color-scheme:light;";
  stage.className = picture.parentElement?.className ?? "";
  stage.append(copy);
  // Beside the picture, so that the same rules of the style sheet reach it.
  (picture.parentElement ?? document.body).append(stage);
  try {
    const marks = [copy, ...copy.querySelectorAll("*")];
    const styles = marks.map((mark) => {
      const computed = getComputedStyle(mark);
      return PROPERTIES.map((name) => [name, computed.getPropertyValue(name)] as const).filter(
        ([, value]) => value,
      );
    });
    marks.forEach((mark, index) => {
      for (const name of ["class", "style", "tabindex", "role"]) mark.removeAttribute(name);
      for (const [name, value] of styles[index] ?? []) mark.setAttribute(name, value.replaceAll('"', "'"));
      if (mark.getAttribute("display") === "none") mark.remove();
    });
  } finally {
    stage.remove();
  }
  return copy;
}

function sizeOf(picture: SVGSVGElement): { width: number; height: number } {
  const box = picture.getBoundingClientRect();
  const asked = ["width", "height"].map((name) => Number.parseFloat(picture.getAttribute(name) ?? ""));
  return { width: asked[0] || box.width, height: asked[1] || box.height };
}

function text(content: string, x: number, y: number, font: string, fill: string): SVGTextElement {
  const element = document.createElementNS(SVG, "text");
  const [, size = "12px", family = "serif"] = /^(\S+) (.*)$/.exec(font) ?? [];
  for (const [name, value] of Object.entries({ x, y, fill, "font-size": size, "font-family": family }))
    element.setAttribute(name, String(value));
  element.textContent = content;
  return element;
}

/** Lines of about so many characters. A word longer than a line is cut. */
export function wrapped(words: string, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of visible(words)
    .split(/\s+/)
    .flatMap((long) => long.match(new RegExp(`.{1,${most}}`, "gu")) ?? [])) {
    if (line && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  return line ? [...lines, line] : lines;
}

/** On one line, without what XML cannot hold or what would turn the writing around. */
function visible(content: string): string {
  return content.replace(/\s+/g, " ").replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, "");
}
