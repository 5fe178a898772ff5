export { default } from "../page.jsx"
