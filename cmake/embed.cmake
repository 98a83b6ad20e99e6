# clearcoat_embed(<target> <file> <header> <function>): compiles the text of a file into a target. The function is
# declared in <header>, in namespace clearcoat::<folder of the header>, and returns the text as std::string_view.
function(clearcoat_embed target file header function)
  get_filename_component(folder ${header} DIRECTORY)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(source ${CMAKE_SOURCE_DIR}/${file})
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DOUTPUT=${output} -DHEADER=${header} -DFOLDER=${folder}
            -DFUNCTION=${function} -P ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
    DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/embed_file.cmake
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
