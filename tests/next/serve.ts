import { environment, host, launch, type Site } from "../applications/processes.js"
import { type Built, next } from "./build.js"

/** Runs `next start` on a loopback port. `0` picks a free one. */
export async function serve(
  { folder }: Built,
  env: Readonly<Record<string, string>>,
  port = 0,
  node: string = process.execPath,
): Promise<Site> {
  const command = [node, next, "start", "-H", host, "-p", String(port)] as const
  const { until, ...server } = launch(command, { cwd: folder, env: environment(env) })
  const origin = await until((output) =>
    output.includes("Ready in") ? /http:\/\/localhost:\d+/.exec(output)?.[0] : undefined,
  )
  return { ...server, origin }
}
