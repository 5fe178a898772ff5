import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, test } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** What `npm run pack` writes. */
const packed = readdirSync(join(root, "packages")).map((folder) => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"))
  const { name, version } = manifest as { readonly name: string; readonly version: string }
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`
})

const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter((path) =>
  path.endsWith(".md"),
)
const patterns = pages.flatMap((page) =>
  [...readFileSync(join(root, page), "utf8").matchAll(/"\$LATCHKEY"\/(\S+?\.tgz)/g)].map(([, pattern = ""]) => ({
    page,
    pattern,
  })),
)

test.each(patterns)("$page installs only the packages that it names: $pattern", ({ pattern }) => {
  const names = /\{(.*)\}/.exec(pattern)?.[1]?.split(",") ?? [""]
  const files = names.map((name) =>
    pattern
      .replace(/\{.*\}/, name)
      .replaceAll(".", "\\.")
      .replaceAll("*", ".*"),
  )
  expect(packed.filter((file) => files.some((one) => new RegExp(`^${one}$`).test(file)))).toHaveLength(names.length)
})
