import { journeyTable, playJourneys } from "../journeys.mjs"
import { Failure } from "../shell.mjs"

/** Prints the figures of all journeys, or the files of those whose name contains a text. @param {string[]} args */
export async function journeys([wanted]) {
  const all = await playJourneys()
  if (wanted === undefined) return console.log(journeyTable(all))
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
  if (found.length === 0) throw new Failure(`The journeys are ${all.map(({ name }) => name).join("; ")}.`)
  for (const { name, visited } of found) {
    console.log(`${name}\n${visited.map(([file, calls]) => `${String(calls).padStart(5)} ${file}`).join("\n")}\n`)
  }
}
