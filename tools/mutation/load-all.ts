/** Loads modules that are otherwise loaded on first use, and would count only for the first test that uses them. */
await Promise.all([
  import("../../packages/core/src/endpoints/pages.js"),
  import("../../packages/core/src/endpoints/signout.js"),
  import("../../packages/core/src/methods/credentials/credentials.js"),
  import("../../packages/core/src/methods/email/email.js"),
  import("../../packages/core/src/methods/oauth/oauth.js"),
  import("../../packages/core/src/methods/webauthn/webauthn.js"),
  import("../../packages/core/src/pages/render.js"),
  import("../../packages/core/src/signin/phases.js"),
  import("../../packages/core/src/signin/start.js"),
])
