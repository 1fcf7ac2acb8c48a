declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  export default function SwaggerUI(options: {
    dom_id: string;
    url: string;
    deepLinking: boolean;
    validatorUrl: null;
    syntaxHighlight: { theme: string };
  }): void;
}
