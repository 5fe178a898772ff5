import { existsSync, watch } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { checkLinks } from "../../site/build/check-links.mjs"
import { writeMarkdown } from "../../site/build/llms.mjs"
import { linkResolver } from "../../site/build/pages.mjs"
import { readSite, restage, stage } from "../../site/build/stage.mjs"
import { Failure, must, seconds } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"
import { generate } from "./generate.mjs"

const folder = join(root, "site")
const built = join(root, "dist", "site")
const vitepress = join(folder, "node_modules", ".bin", "vitepress")

/** Builds the documentation site into `dist/site`. `--dev` serves it while you write. @param {string[]} args */
export async function site(args) {
  const since = performance.now()
  const isDevelopment = args[0] === "--dev"
  if (args.length > (isDevelopment ? 1 : 0)) throw new Failure("`site` has one argument: --dev")
  // The providers import their icons.
  await generate()
  await stage({ reference: !isDevelopment })
  if (isDevelopment) return serve()
  await must(vitepress, ["build", folder], { cwd: folder, advice: "See its messages above." })
  const { pages, sections } = readSite()
  const rest = new Set(pages.map(({ path }) => path))
  const named = sections.map(({ paths, ...section }) => {
    for (const path of paths) rest.delete(path)
    return { ...section, pages: pages.filter(({ path }) => paths.includes(path)) }
  })
  const optional = named.filter((section) => section.optional).flatMap((section) => section.pages)
  // The front page repeats others, so it comes with those that few readers need.
  const last = [...optional, ...pages.filter(({ path }) => rest.has(path))]
  const others = named.filter((section) => !section.optional)
  writeMarkdown(built, [...others, { text: "Optional", pages: last, optional: true }], linkResolver(pages))
  const count = checkLinks(built, "/")
  console.log(`${count} pages in ${shown(built)} (${seconds(since)})`)
}

async function serve() {
  const watcher = watch(join(root, "docs"), { recursive: true }, (_, name) => {
    const source = `docs/${name}`
    if (source.endsWith(".md") && existsSync(join(root, source))) restage(source)
  })
  try {
    await must(vitepress, ["dev", folder], { cwd: folder, advice: "See its messages above." })
  } finally {
    watcher.close()
  }
}
