import { fileURLToPath } from "node:url"
import type { NextConfig } from "next"

const config: NextConfig = {
  // The packages of this workspace are links that lead out of this folder.
  turbopack: { root: fileURLToPath(new URL("../..", import.meta.url)) },
  // It brings a program of its own for SQLite, which no bundler can take in.
  serverExternalPackages: ["@latchkey/sql"],
}

export default config
