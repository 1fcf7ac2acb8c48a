/** The API reference at /docs, from the server's own description and with nothing loaded from elsewhere. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import "./docs.css";

SwaggerUI({
  dom_id: "#docs",
  url: "/openapi.json",
  // Deep links are links inside buttons, which a screen reader cannot tell apart.
  deepLinking: false,
  // Left to itself it sends the description to a validator on the internet.
  validatorUrl: null,
  onComplete() {
    // Headings follow each other by one, and all text lies in a landmark.
    for (const heading of document.querySelectorAll("h3.opblock-tag, .models h4"))
      heading.setAttribute("aria-level", "2");
    document.querySelector(".information-container")?.setAttribute("role", "banner");
  },
});
