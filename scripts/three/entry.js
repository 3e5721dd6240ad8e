// What the pages use of three.js. scripts/three/bundle.sh puts it into ctrlgraph/playback/static/three.min.js.
export {
  BufferAttribute, BufferGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, DirectionalLight, DoubleSide, EqualDepth, Group,
  HemisphereLight, InstancedMesh, LineBasicMaterial, LineSegments, MathUtils, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial,
  MeshPhongMaterial, PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer,
} from "three/src/Three.js";
