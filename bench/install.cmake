# What `cmake --install` and `cpack` put where: the program, what it ships, its manual pages and the
# completions of shells. The last two are printed by the program itself while it is installed.
include(GNUInstallDirs)
install(TARGETS meshsim RUNTIME)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/platforms ${CMAKE_SOURCE_DIR}/scenarios
  DESTINATION ${CMAKE_INSTALL_DATADIR}/meshsim)
install(FILES ${CMAKE_SOURCE_DIR}/bench/reference/decisions.csv
  ${CMAKE_SOURCE_DIR}/bench/reference/figures.csv
  ${CMAKE_SOURCE_DIR}/bench/reference/errors.yaml
  DESTINATION ${CMAKE_INSTALL_DATADIR}/meshsim/bench/reference)
install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/ARCHITECTURE.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})

# print_by_program(FILE WORD...): output of `meshsim WORD...`, in FILE of the build folder
set(printed ${CMAKE_BINARY_DIR}/printed)
set(printed_files)
function(print_by_program file)
  add_custom_command(OUTPUT ${printed}/${file} DEPENDS meshsim VERBATIM
    COMMAND ${CMAKE_COMMAND} -E make_directory ${printed}
    COMMAND meshsim ${ARGN} > ${printed}/${file})
  set(printed_files ${printed_files} ${printed}/${file} PARENT_SCOPE)
endfunction()
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/tools/commands/commands.def commands REGEX "^XX?\\(")
print_by_program(meshsim.1 help --man)
foreach(line ${commands})
  string(REGEX REPLACE "^X\\(([a-z]+),.*$" "\\1" name ${line})
  string(REGEX REPLACE "^XX\\([a-z_]+, \"([a-z-]+)\",.*$" "\\1" name ${name})
  print_by_program(meshsim-${name}.1 help --man ${name})
endforeach()
set(manuals ${printed_files})
foreach(shell bash zsh fish)
  print_by_program(meshsim.${shell} completion ${shell})
endforeach()
add_custom_target(meshsim_printed ALL DEPENDS ${printed_files})
install(FILES ${manuals} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${printed}/meshsim.bash RENAME meshsim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${printed}/meshsim.zsh RENAME _meshsim
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${printed}/meshsim.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# A .deb with the dependencies that the program's libraries have: cd build && cpack
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME meshsim)
set(CPACK_PACKAGE_CONTACT "the meshsim team <meshsim@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulates a mesh of accelerators under its real runtime")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded when it is first called (model/simgrid), so that shlibdeps does not see it.
string(REGEX MATCH "^[0-9]+[.][0-9]+" simgrid_release "${SIMGRID_VERSION}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libsimgrid${simgrid_release}")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libzmq5, libnng1") # loaded by runtime/transport
set(CPACK_STRIP_FILES ON)
include(CPack)
