import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { toMarkdown, toPage } from "../catalogue-pages.mjs"
import { readProviders } from "../providers.mjs"
import { root, shown } from "../workspace.mjs"

/** Writes the pages about all providers. They are built from the provider files and aren't in git. */
export async function catalogue() {
  const providers = (await readProviders()).toSorted((a, b) => a.entry.name.localeCompare(b.entry.name, "en"))
  const folder = join(root, "dist", "docs")
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of [
    ["provider-catalogue.md", toMarkdown(providers)],
    ["provider-catalogue.html", toPage(providers)],
  ]) {
    writeFileSync(join(folder, name ?? ""), text ?? "")
    console.log(shown(join(folder, name ?? "")))
  }
}
