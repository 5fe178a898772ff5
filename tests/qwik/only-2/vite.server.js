import { nodeServerAdapter } from "@qwik.dev/router/adapters/node-server/vite"
import { extendConfig } from "@qwik.dev/router/vite"
import base from "./vite.config.js"

export default extendConfig(base, () => ({
  build: { ssr: true, rolldownOptions: { input: ["src/entry.node-server.ts"] } },
  plugins: [nodeServerAdapter({ name: "node-server", ssg: null })],
}))
