/** Loads modules that are otherwise loaded on first use, and would count only for the first test that uses them. */
await Promise.all([
  import("../../packages/core/src/features/pages/endpoints.js"),
  import("../../packages/core/src/endpoints/signout.js"),
  import("../../packages/core/src/features/credentials/credentials.js"),
  import("../../packages/core/src/features/email/email.js"),
  import("../../packages/core/src/features/oauth/oauth.js"),
  import("../../packages/core/src/features/passkeys/webauthn.js"),
  import("../../packages/core/src/features/pages/render.js"),
  import("../../packages/core/src/signin/phases.js"),
])
