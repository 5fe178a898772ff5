import { nodeServerAdapter } from "@builder.io/qwik-city/adapters/node-server/vite"
import { mergeConfig } from "vite"
import config from "./vite.config"

export default mergeConfig(config, {
  build: { ssr: true, rollupOptions: { input: ["src/entry.node-server.tsx", "@qwik-city-plan"] } },
  plugins: [nodeServerAdapter({ name: "node-server", ssg: null })],
})
