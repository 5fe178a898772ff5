/** @type {import("next").NextConfig} */
export default {
  cacheComponents: true,
  partialPrefetching: true,
  // The installed packages are links to folders outside the application.
  turbopack: { root: "/" },
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@latchkey/sql"],
}
