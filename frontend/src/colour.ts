/**
 * The one diverging scale of all pictures: orange speaks against the class, purple for it, pale says little.
 *
 * On light paper the stops are ColorBrewer's PuOr, the same as in the terminal's and the notebook's pictures. On dark
 * paper zero is the paper's own grey and both sides grow lighter, so that what matters shines there as well. Both keep
 * their sides apart for every common kind of colour blindness. Zero is in the middle and the domain symmetric.
 *
 * A mark carries the light colour as a plain attribute, so that a picture taken out of the page is complete, and both
 * colours as custom properties, from which marks.css takes the one of the page's theme.
 */
import { rgb } from "d3-color";
import { interpolateRgb, piecewise } from "d3-interpolate";
import type { CSSProperties } from "react";
import appearance from "./appearance";

export type Theme = "light" | "dark";

/** A colour, and the one to write in on top of it. */
export type Tint = { readonly fill: string; readonly ink: string };

const STOPS: Record<Theme, readonly string[]> = appearance.colour.stops;

/** What else is drawn, on light paper; on the page the style sheet chooses the theme's. */
export const {
  paper: PAPER,
  ink: INK,
  quiet: QUIET,
  faint: FAINT,
  line: LINE,
  track: TRACK,
  accent: ACCENT,
} = appearance.colour.paper;

/** Colours of bars' edges and of lines, which say their sign by colour and how much by length or width. */
const SIDES: Record<Theme, { against: string; towards: string }> = appearance.colour.sides;

const QUIET_LINE: Record<Theme, string> = { light: "#cbc7d6", dark: "#4c4858" };

const RAMPS = {
  light: piecewise(interpolateRgb, [...STOPS.light]),
  dark: piecewise(interpolateRgb, [...STOPS.dark]),
};

/** Soft inks first; where neither can be read well enough, one of black and white always can. */
const SOFT_INKS = [INK, PAPER];
const HARD_INKS = ["#000000", PAPER];
export const READABLE = 4.5;

/** Where a value lies between the ends of a symmetric domain: -1 to 1, 0 where nothing is known of the domain. */
export function share(value: number, domain: number): number {
  return domain > 0 && Number.isFinite(value) ? Math.max(-1, Math.min(1, value / domain)) : 0;
}

export function tint(value: number, domain: number, theme: Theme = "light"): Tint {
  const fill = rgb(RAMPS[theme]((share(value, domain) + 1) / 2)).formatHex();
  return { fill, ink: inkOn(fill) };
}

export function side(value: number, theme: Theme = "light"): string {
  return value < 0 ? SIDES[theme].against : SIDES[theme].towards;
}

/** Attributes of a block in the colour of its value. */
export function filled(value: number, domain: number) {
  return themed("fill", tint(value, domain, "light").fill, tint(value, domain, "dark").fill);
}

/** Attributes of a text on top of such a block. */
export function inked(value: number, domain: number) {
  return themed("fill", tint(value, domain, "light").ink, tint(value, domain, "dark").ink);
}

/** Attributes of a line in the colour of its value's sign. */
export function stroked(value: number) {
  return themed("stroke", side(value, "light"), side(value, "dark"));
}

/**
 * Attributes of a quiet line that tells a little of its value: from grey to halfway to its side's colour. Long lines
 * would shout in the full one.
 */
export function graded(value: number, domain: number) {
  const grade = (theme: Theme) =>
    rgb(
      interpolateRgb(QUIET_LINE[theme], side(value, theme))(0.55 * Math.abs(share(value, domain))),
    ).formatHex();
  return themed("stroke", grade("light"), grade("dark"));
}

type ThemedAttributes = { className: string; fill?: string; stroke?: string; style: CSSProperties };

function themed(attribute: "fill" | "stroke", light: string, dark: string): ThemedAttributes {
  const both: Record<string, string> = { "--light": light, "--dark": dark };
  return { className: `themed-${attribute}`, [attribute]: light, style: both as CSSProperties };
}

/** From 1, the same, to 21, black on white, as the Web Content Accessibility Guidelines define it. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function inkOn(fill: string): string {
  const best = (inks: readonly string[]) =>
    inks.reduce((one, other) => (contrast(fill, other) > contrast(fill, one) ? other : one));
  const soft = best(SOFT_INKS);
  return contrast(fill, soft) >= READABLE ? soft : best(HARD_INKS);
}

function luminance(colour: string): number {
  const { r, g, b } = rgb(colour);
  const linear = (channel: number) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}
