// What Google answers to Next.js for the fonts of its starter. Any style sheet will do.
const css = '@font-face { font-family: "Geist"; src: local("Arial"); }'

module.exports = {
  "https://fonts.googleapis.com/css2?family=Geist:wght@100..900&display=swap": css,
  "https://fonts.googleapis.com/css2?family=Geist+Mono:wght@100..900&display=swap": css,
}
