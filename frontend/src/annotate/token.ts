/**
 * What lets a person go on where they stopped: kept in memory, in the tab's own storage and in the address.
 *
 * Inside a recruiting service's frame cookies and storage may be refused, so none of the three is relied upon alone.
 * The address keeps it in the fragment, which browsers never send to a server or tell another page.
 */

const held = new Map<string, string>();

/** Storage that may be missing, full or forbidden: then it is as if nothing was kept, but for this page's life. */
export const shelf = {
  get(key: string): string | null {
    try {
      return window.sessionStorage.getItem(key) ?? held.get(key) ?? null;
    } catch {
      return held.get(key) ?? null;
    }
  },
  set(key: string, value: string | null): void {
    if (value === null) held.delete(key);
    else held.set(key, value);
    try {
      if (value === null) window.sessionStorage.removeItem(key);
      else window.sessionStorage.setItem(key, value);
    } catch {
      // Memory and the address remain.
    }
  },
};

/** A study and the way somebody came to it: two people sharing a computer never share a token. */
export const visitOf = (study: string, search: string): string =>
  `espalier-study ${study} ${[...new URLSearchParams(search)]
    .map((pair) => pair.join("="))
    .sort()
    .join("&")}`;

export function recall(visit: string): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get("token") ?? shelf.get(visit);
}

export function remember(visit: string, token: string): void {
  shelf.set(visit, token);
  rewrite(`#token=${encodeURIComponent(token)}`);
}

/** The server does not know the token any more: start anew. */
export function forget(visit: string): void {
  shelf.set(visit, null);
  rewrite("");
}

function rewrite(fragment: string): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, "", pathname + search + fragment);
}
