/** The API reference at /docs, from the server's own description and with nothing loaded from elsewhere. */
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";

SwaggerUI({
  dom_id: "#docs",
  url: "/openapi.json",
  deepLinking: true,
  // Left to itself it sends the description to a validator on the internet.
  validatorUrl: null,
});
