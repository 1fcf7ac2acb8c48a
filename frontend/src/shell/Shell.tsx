import { Link, Outlet } from "@tanstack/react-router";
import { SignOut } from "./SignOut";
import { ThemeSwitch } from "./ThemeSwitch";

/** What stands around every page but the annotator's: the name, the ways to go and out, light or dark. */
export function Shell() {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="topbar">
        <Link to="/" className="brand" search={{}}>
          <Mark />
          Espalier
        </Link>
        <nav aria-label="Pages">
          <Link to="/" search={{}} activeOptions={{ exact: true, includeSearch: false }}>
            Workbench
          </Link>
          <Link to="/studies" search={{}}>
            Studies
          </Link>
          <Link to="/lab" search={{}}>
            Lab
          </Link>
          <a href="/docs">API</a>
        </nav>
        <span className="spring" />
        <SignOut />
        <ThemeSwitch />
      </header>
      <main id="main" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <path
        d="M8 15V3M8 12H3V8M8 12h5V8M8 6H5V3M8 6h3V3"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="1.5"
      />
    </svg>
  );
}
