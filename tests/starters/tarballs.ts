import { readdir, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const packed = fileURLToPath(new URL("../../dist/packages/", import.meta.url))

/** The packed packages that these need, as arguments of npm, which doesn't have them yet. */
export async function tarballsOf(names: readonly string[]): Promise<readonly string[]> {
  const files = await readdir(packed)
  return (await packagesBehind(names)).map((name) => {
    const start = `${name.replace("@", "").replace("/", "-")}-`
    const file = files.find((one) => one.startsWith(start) && /^\d/.test(one.slice(start.length)))
    if (file === undefined) throw new Error(`${name} isn't packed: run \`npm run pack\``)
    return packed + file
  })
}

/** These packages, and those of this repository that they depend on. */
export async function packagesBehind(names: readonly string[]): Promise<readonly string[]> {
  const needed = new Set(names)
  for (const name of needed) for (const next of await dependenciesOf(name)) needed.add(next)
  return [...needed]
}

export function isOurs(name: string): boolean {
  return name === "latchkey" || name.startsWith("@latchkey/")
}

async function dependenciesOf(name: string): Promise<readonly string[]> {
  const folder = name === "latchkey" ? "cli" : name.slice("@latchkey/".length)
  const text = await readFile(new URL(`../../packages/${folder}/package.json`, import.meta.url), "utf8")
  const { dependencies = {} } = JSON.parse(text) as { readonly dependencies?: Readonly<Record<string, string>> }
  return Object.keys(dependencies).filter(isOurs)
}
