export { default, getServerSideProps } from "./index.jsx"
