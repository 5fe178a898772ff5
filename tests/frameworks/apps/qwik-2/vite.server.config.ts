import { nodeServerAdapter } from "@qwik.dev/router/adapters/node-server/vite"
import { mergeConfig } from "vite"
import config from "./vite.config"

export default mergeConfig(config, {
  build: { ssr: true, rolldownOptions: { input: ["src/entry.node-server.tsx"] } },
  plugins: [nodeServerAdapter({ name: "node-server", ssg: null })],
})
