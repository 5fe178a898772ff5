#!/usr/bin/env node
import { main } from "./main.js"

// A program at the other end of a pipe, such as `head`, may close it early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
process.exitCode = await main(process.argv.slice(2))
