/** The few signs on buttons, drawn in the colour of the text beside them. */
const PATHS = {
  moon: "M13 9.8A5.5 5.5 0 0 1 6.2 3a5.5 5.5 0 1 0 6.8 6.8Z",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M13 3l-1.2 1.2M4.2 11.8 3 13",
  down: "m4 6.2 4 4 4-4",
  widen: "M6 3H3v3M10 3h3v3M6 13H3v-3M10 13h3v-3",
  tile: "M3 3h4.2v4.2H3zM8.8 3H13v4.2H8.8zM3 8.8h4.2V13H3zM8.8 8.8H13V13H8.8z",
  close: "m4 4 8 8M12 4l-8 8",
  settings: "M2.5 4.5h6M12.5 4.5h1M2.5 11.5h1M7.5 11.5h6M10.5 2.8v3.4M5.5 9.8v3.4",
  help: "M6 6.1a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.6v.1M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8Z",
  table: "M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6 3.5v9",
  save: "M8 2.5v7.2M5 7l3 3 3-3M2.8 12.8h10.4",
  share:
    "M6.4 9.6a2.6 2.6 0 0 0 3.7 0l2.4-2.4a2.6 2.6 0 0 0-3.7-3.7l-.9.9M9.6 6.4a2.6 2.6 0 0 0-3.7 0L3.5 8.8a2.6 2.6 0 0 0 3.7 3.7l.9-.9",
  history: "M3 4v3h3M3.3 7a5 5 0 1 1-.2 2.4M8 5.2V8l2 1.4",
  compare: "M3 3.5h4v9H3zM9 3.5h4v9H9z",
  more: "M8 3v10M3 8h10",
  swap: "M3 5.5h9.5M10 3l2.5 2.5L10 8M13 10.5H3.5M6 8l-2.5 2.5L6 13",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.35"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
