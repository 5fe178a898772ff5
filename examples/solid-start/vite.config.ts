import { solidStart } from "@solidjs/start/config"
import { nitro } from "nitro/vite"
import { defineConfig } from "vite"

export default defineConfig({
  // With pnpm, Vite doesn't find these dependencies of the development overlay by itself.
  optimizeDeps: { include: ["@solidjs/start > @jridgewell/trace-mapping > @jridgewell/resolve-uri"] },
  plugins: [
    solidStart({ middleware: "./src/middleware.ts" }),
    // Only for passkeys: otherwise, a dependency of @simplewebauthn/server runs before the polyfill that it needs.
    nitro({ rolldownConfig: { output: { strictExecutionOrder: true } } }),
  ],
})
