/** What is loaded on first use would count for the one test that happens to be first. */
await Promise.all([
  import("../../packages/core/src/endpoints/pages.js"),
  import("../../packages/core/src/endpoints/signout.js"),
  import("../../packages/core/src/methods/credentials/credentials.js"),
  import("../../packages/core/src/methods/email/email.js"),
  import("../../packages/core/src/methods/oauth/oauth.js"),
  import("../../packages/core/src/pages/render.js"),
  import("../../packages/core/src/signin/finish.js"),
  import("../../packages/core/src/signin/start.js"),
])
