/**
 * What lets a person go on where they stopped: kept in memory, in the tab's own storage and in the address.
 *
 * Inside a recruiting service's frame cookies and storage may be refused, so none of the three is relied upon alone.
 * The address keeps it in the fragment, which browsers never send to a server or tell another page.
 */

const held = new Map<string, string>();

const keyOf = (study: string) => `espalier-study-${study}`;

/** Storage that may be missing, full or forbidden: then it is as if nothing was kept. */
export const shelf = {
  get(key: string): string | null {
    try {
      return window.sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key: string, value: string | null): void {
    try {
      if (value === null) window.sessionStorage.removeItem(key);
      else window.sessionStorage.setItem(key, value);
    } catch {
      // The other two places remain.
    }
  },
};

export function recall(study: string): string | null {
  const fragment = new URLSearchParams(window.location.hash.slice(1)).get("token");
  return fragment ?? held.get(study) ?? shelf.get(keyOf(study));
}

export function remember(study: string, token: string): void {
  held.set(study, token);
  shelf.set(keyOf(study), token);
  const { pathname, search } = window.location;
  window.history.replaceState(
    window.history.state,
    "",
    `${pathname}${search}#token=${encodeURIComponent(token)}`,
  );
}

/** The token was not known to the server any more: start anew. */
export function forget(study: string): void {
  held.delete(study);
  shelf.set(keyOf(study), null);
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search);
}
