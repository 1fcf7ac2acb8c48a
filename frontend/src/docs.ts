/** The API reference at /docs, from the server's own description and with nothing loaded from elsewhere. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";
import { currentTheme } from "./state/theme";

/**
 * What Swagger UI leaves out for those who do not see the page or have no pointer: headings that follow each other by
 * one, all text in a landmark, and examples that scroll sideways reachable by keyboard.
 */
const AMENDED: readonly [selector: string, attribute: string, value: string][] = [
  [".information-container", "role", "banner"],
  ["h3.opblock-tag, .models h4", "aria-level", "2"],
  [".opblock h4, .opblock h5", "aria-level", "3"],
  [".opblock pre", "tabindex", "0"],
];

function amend(): void {
  for (const [selector, attribute, value] of AMENDED)
    for (const element of document.querySelectorAll(selector))
      if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

// It draws a long list of schemas as far as it is scrolled, and the inside of an operation when it is opened: no event
// of its own tells when a page is complete.
new MutationObserver(amend).observe(document.body, { childList: true, subtree: true });

// As bright as the other pages.
document.documentElement.classList.toggle("dark-mode", currentTheme() === "dark");

SwaggerUI({
  dom_id: "#docs",
  url: "/openapi.json",
  // Deep links are links inside buttons, which a screen reader cannot tell apart.
  deepLinking: false,
  // Left to itself it sends the description to a validator on the internet.
  validatorUrl: null,
  // The numbers of its usual colours are too faint on their ground.
  syntaxHighlight: { theme: "tomorrow-night" },
});
