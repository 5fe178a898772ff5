import { test } from "vitest"
import { patience, playMany } from "./runs.js"

test("no sequence of users and attackers breaks an invariant of a strict site", () => playMany("strict"), patience)
