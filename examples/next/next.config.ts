import { fileURLToPath } from "node:url"
import type { NextConfig } from "next"

const config: NextConfig = {
  // Password managers look for this page.
  redirects: async () => [
    { source: "/.well-known/change-password", destination: "/api/auth/password/change", permanent: false },
  ],
  // The workspace packages are links to folders outside this one.
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  // The SQLite driver has a native binary, which can't be bundled.
  serverExternalPackages: ["@latchkey/sql"],
}

export default config
