import { environment, launch, type Site } from "../applications/processes.js"
import type { Built } from "./build.js"

/** Runs the production server on a loopback port. `0` picks a free one. */
export async function serve(
  { folder }: Pick<Built, "folder">,
  env: Readonly<Record<string, string>>,
  port = 0,
): Promise<Site> {
  const variables = environment({ NODE_ENV: "production", PORT: String(port), ...env })
  const command = [process.execPath, "server/entry.node-server.js"] as const
  const { until, ...server } = launch(command, { cwd: folder, env: variables })
  const origin = await until((output) => /Listening on (\S+)/.exec(output)?.[1])
  return { ...server, origin }
}
