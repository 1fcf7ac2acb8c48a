/** Give a file to the reader. */
export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser has to have begun with it.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
