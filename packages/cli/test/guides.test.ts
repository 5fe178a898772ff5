import { basename, extname } from "node:path"
import { expect, test } from "vitest"
import { read as readGuide } from "../../../tests/starters/guide.js"
import { starters } from "../../../tests/starters/of/all.js"
import { application, jsonOf, latchkey, manifest, read } from "./latchkey.js"

const withInit = starters.filter(({ init }) => init !== null)

test.each(withInit)("the files of init for $id export what its guide imports from them", async ({ id, guide }) => {
  const folder = await application({ "package.json": manifest({}), "tsconfig.json": "{}" })
  const { written } = jsonOf(await latchkey(folder, ["init", id, "--provider", "github", "--json"]))
  const { files } = await readGuide(guide)
  const imported = files.flatMap(({ text }) => importsOf(text))
  for (const path of written as readonly string[]) {
    const names = imported.filter(({ from }) => from === nameOf(path)).map(({ name }) => name)
    expect(exportsOf(await read(folder, path)), path).toEqual(expect.arrayContaining(names))
  }
})

/** Without its folder and ending, which each framework writes in its own way. */
function nameOf(path: string): string {
  return basename(path, /^\.[jt]sx?$/.test(extname(path)) ? extname(path) : "")
}

/** What a file imports from other files of the application. */
function importsOf(text: string): readonly { readonly name: string; readonly from: string }[] {
  const imports = text.matchAll(/^import (?:type )?\{([^}]*)\} from "((?:\.|~\/|@\/|\$)[^"]*)"/gm)
  return [...imports].flatMap(([, names = "", from = ""]) =>
    (names.match(/\b(?!type\b|as\b)\w+/g) ?? []).map((name) => ({ name, from: nameOf(from) })),
  )
}

function exportsOf(text: string): readonly string[] {
  const declared = text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)
  const listed = text.matchAll(/^export (?:const )?\{([^}]*)\}/gm)
  return [...declared, ...listed].flatMap(([, names = ""]) => names.match(/\w+/g) ?? [])
}
